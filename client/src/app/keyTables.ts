// The keys as the help lists them; keys.ts has the bindings.

import { lateWords } from '../words/lateWords';

/** Rows of a table: keys, and what they do. */
export type KeyRows = readonly { readonly keys: readonly string[]; readonly meaning: string }[];

/** Returns the keys of practice. */
export function practiceKeys(): KeyRows {
  const { keyNames: name, practice } = lateWords.app;
  return [
    { keys: [name.space], meaning: practice.play },
    { keys: ['←', '→'], meaning: practice.seek },
    { keys: ['A'], meaning: practice.a },
    { keys: ['B'], meaning: practice.b },
    { keys: ['L'], meaning: practice.loop },
    { keys: ['+', '−'], meaning: practice.speed },
    { keys: [name.pageUp, name.pageDown], meaning: practice.part },
    { keys: [`${name.shift} ←`, `${name.shift} →`], meaning: practice.part },
    { keys: ['N'], meaning: practice.addMove },
    { keys: ['V'], meaning: practice.video },
    { keys: ['S'], meaning: practice.stage },
    { keys: ['R'], meaning: practice.runThrough },
    { keys: ['M', name.space, name.pageDown], meaning: practice.missed },
    { keys: [`${name.alt} ↑`, `${name.alt} ↓`], meaning: practice.moveMove },
    { keys: [name.delete], meaning: practice.deleteMove },
    { keys: [`${name.control} Z`], meaning: practice.undo },
    { keys: [name.escape], meaning: practice.close },
    { keys: ['?'], meaning: practice.keys },
  ];
}

/** Returns the keys of the floating video, while it has the focus. */
export function videoKeys(): KeyRows {
  const { keyNames: name, video } = lateWords.app;
  return [
    { keys: [name.arrows], meaning: video.move },
    { keys: ['+', '−'], meaning: video.resize },
    { keys: [',', '.'], meaning: video.frame },
    { keys: ['M', 'F'], meaning: video.view },
    { keys: [`${name.shift} F10`], meaning: video.menu },
  ];
}

/** Returns the clipper's keys. */
export function clipperKeys(): KeyRows {
  const { keyNames: name, clipper } = lateWords.app;
  return [
    { keys: ['C'], meaning: clipper.cut },
    { keys: ['N'], meaning: clipper.name },
    { keys: [name.enter], meaning: clipper.enter },
    { keys: [`${name.shift} ${name.enter}`], meaning: clipper.nameAndCut },
    { keys: ['I', 'O'], meaning: clipper.ends },
    { keys: ['L'], meaning: clipper.loop },
    { keys: ['+', '−', '0'], meaning: clipper.zoom },
    { keys: [',', '.'], meaning: clipper.byCounts },
    { keys: [name.alt], meaning: clipper.noSnapping },
    { keys: [name.delete], meaning: clipper.delete },
  ];
}
