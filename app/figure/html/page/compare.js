
// What is shown of a stage: the map of a head, or of two heads or two states one or the other, or
// their difference.

const PARTS = ['first', 'second', 'difference'];

/** Which of the page's maps a head has in a stage. */
const mapIndex = (stage, head) => stage.own.maps[stage.perHead ? head : 0];

/** A side of a comparison: a map with its marks, its labels and its name, alone and within a title. */
function sideOf(heads, at, labels, name, inTitle = name) {
  return {map: heads.maps[at], marks: heads.marks[at], labels, name, inTitle};
}

/** The same of a head. */
const headSide = (stage, head) =>
    sideOf(stage.own, head, data.labels, headTitle(head), headWords(head));

/** The name of the first head less the second; `english` where heads are numbered. */
const differenceName = (english, head, other) =>
    data.headNames.length > 0 ? `${headNumber(head)} − ${headNumber(other)}` : say(english, headNumber(head), headNumber(other));

/** The two sides that are compared, and the name of their difference; null where there are no two. */
function sidesOf(stage, head) {
  const own = stage.perHead ? head : 0;
  if (state.against === 'A') {
    if (stage.kept.maps[own] === undefined) return null;
    return {
      first: sideOf(stage.kept, own, data.keptLabels, 'A'),
      second: sideOf(stage.own, own, data.labels, 'B'),
      difference: 'B − A',
    };
  }
  const other = Number(state.against);
  if (state.against === '' || !stage.perHead || other === head) return null;
  return {
    first: headSide(stage, head),
    second: headSide(stage, other),
    difference: differenceName('Head {} − head {}', head, other),
    inTitle: differenceName('head {} − head {}', head, other),
  };
}

/** B − A of two states, the first less the second of two heads; 0 where both are the same. */
const differenceOf = remembered((key) => {
  const [from, to] = key.split(' ').map((map) => valuesOf(Number(map)));
  return to.map((value, i) => Object.is(value, from[i]) ? 0 : value - from[i]);
});

/** A map of a head: its values, marks, labels and range, and what it is called beside the head. */
function shownOf(stage, head, part) {
  const sides = sidesOf(stage, head);
  if (!sides) {
    const own = sideOf(stage.own, stage.perHead ? head : 0, data.labels, '');
    return {...own, ...coloursOf(stage, [own.map]), values: valuesOf(own.map)};
  }
  const maps = [sides.first.map, sides.second.map];
  if (part === 'difference') {
    const values = differenceOf((state.against === 'A' ? maps : maps.reverse()).join(' '));
    const table = tableOf(isDark() && data.palettes['red-blue'].dark || data.palettes['red-blue'].light);
    return {values, marks: [], labels: data.labels, name: sides.difference,
            inTitle: sides.inTitle ?? sides.difference, range: evenRange(values), table};
  }
  const side = sides[part];
  return {...side, ...coloursOf(stage, maps), values: valuesOf(side.map)};
}

/** The values of a map between their 2nd and 98th percentile, as the program finds them. */
const robustRangeOf = remembered((key) => {
  const [map, fromZero] = JSON.parse(key);
  const sorted = valuesOf(map).filter(Number.isFinite).sort();
  if (sorted.length === 0) return numbers[map].range;
  const low = percentile(sorted, 0.02), high = percentile(sorted, 1 - 0.02);
  const end = fromZero ? high : Math.max(Math.abs(low), Math.abs(high));
  if (!(end > 0)) return numbers[map].range;
  return [fromZero ? 0 : -end, end];
});

/** What maps that share a range are coloured with; a spread measures from the centre that was asked for. */
function coloursOf(stage, maps) {
  const zero = state.rule === 'fixed' ? 0 : data.look.centre ?? 0;
  return {range: rangeOf(stage, maps), zero, table: paletteOf(stage)};
}

/** The range of maps that are to share one, by the chosen rule. */
function rangeOf(stage, maps) {
  if (state.rule === 'fixed') return data.look.range;
  const isOfHeads = state.against !== '' && state.against !== 'A';
  const all = state.rule === 'shared' || isOfHeads ? [...maps, ...stage.own.maps] : maps;
  if (state.rule === 'shared' && state.against === 'A') all.push(...stage.kept.maps);
  const isRobust = state.rule === 'robust';
  const fromZero = !data.palettes[stage.palette].diverging;
  const ownRange = (map) => isRobust ? robustRangeOf(JSON.stringify([map, fromZero])) : numbers[map].range;
  const range = all.map(ownRange).reduce(united);
  if (data.look.centre !== null) return centred(range, data.look.centre);
  return data.palettes[paletteName(stage)].diverging ? centred(range, 0) : range;
}
