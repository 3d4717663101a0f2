// Puts the page into the frame of an output. Outputs of a notebook share a page that one of them carries, compressed, in a
// hidden element. KEY and DIGEST are filled in; the latter is of the page.
(() => {
  const key = 'KEY', digest = 'DIGEST';
  const lab = globalThis.attentionLab ??= {pages: {}, kept: {}};
  const unpacked = (text) => new Response(
    new Blob([Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0))]).stream()
      .pipeThrough(new DecompressionStream('gzip'))).text();
  // What was edited outlives the frame, which the notebook may take away and put back as one scrolls.
  if (!lab.hears) {
    lab.hears = true;
    addEventListener('message', ({source, data}) => {
      const from = data?.attentionLab;
      if (typeof from !== 'string') return;
      if (data.do === 'keep') lab.kept[from] = data.kept;
      if (data.do === 'ready' && lab.kept[from] && !data.again) {
        source.postMessage({attentionLab: from, do: 'kept', kept: lab.kept[from]}, '*');
      }
    });
  }
  const fill = async (box) => {
    const lacks = box.querySelector('[data-lacks]'), frame = box.querySelector('iframe');
    for (let waited = 0; !lab.pages[digest]; waited += 100) {
      if (waited === 4000) lacks.hidden = false;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    lacks.hidden = true;
    const page = await lab.pages[digest], end = page.lastIndexOf('</body>');
    frame.srcdoc = page.slice(0, end) + await unpacked(box.querySelector('[data-own]').textContent) + page.slice(end);
  };
  // A page starts when it is about to be seen: each has an engine of its own.
  const watcher = new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      fill(target);
    }
  }, {rootMargin: '600px'});
  for (const box of document.querySelectorAll(`[data-attention-lab="${key}"]`)) {
    if (box.dataset.found) continue;
    box.dataset.found = 'true';
    const carried = box.querySelector('[data-page]');
    if (carried) lab.pages[digest] ??= unpacked(carried.textContent);
    watcher.observe(box);
  }
})();
