// Where the files are that the app loads later. The build gives each an address that changes with
// its bytes, so that a page never gets a file of another version.

declare const BUILT_ADDRESSES: Partial<typeof plain>;

const plain = { engine: '/engine.wasm', worklet: '/worklet.js', sortable: '/sortable.js' };

/** The addresses; plain ones where nothing was built around this. */
export const addresses = typeof BUILT_ADDRESSES === 'undefined' ? plain : { ...plain, ...BUILT_ADDRESSES };
