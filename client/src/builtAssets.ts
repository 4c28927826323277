// The addresses of files that the app loads later. The build gives each file an address that
// changes with its content, so that a page never loads a file of another version.

declare const BUILT_ADDRESSES: Partial<typeof plain>;

const plain = { engine: '/engine.wasm', counts: '/counts.wasm', worklet: '/worklet.js', sortable: '/sortable.js' };

/** The addresses; plain file names in an unbuilt page. */
export const addresses = typeof BUILT_ADDRESSES === 'undefined' ? plain : { ...plain, ...BUILT_ADDRESSES };
