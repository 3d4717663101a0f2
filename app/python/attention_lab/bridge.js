// A widget without a face: it carries messages between the page in its frame and Python. Only they know the key.
export default {
  render({model, el}) {
    el.style.display = 'none';
    const key = model.get('key'), pages = new Set();
    const hear = ({source, data}) => {
      if (data?.attentionLab !== key || source === window) return;
      const {attentionLab, file, ...message} = data;
      pages.add(source);
      if (message.do === 'ready') source.postMessage({attentionLab: key, do: 'connected'}, '*');
      else if (message.do === 'numbers' || message.do === 'layer') model.send(message, undefined, file ? [file] : []);
    };
    const tell = (message, buffers) => {
      const files = buffers.map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength).slice());
      for (const page of pages) page.postMessage({attentionLab: key, ...message, files}, '*');
    };
    addEventListener('message', hear);
    model.on('msg:custom', tell);
    return () => {
      removeEventListener('message', hear);
      model.off('msg:custom', tell);
    };
  },
};
