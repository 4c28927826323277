// English: the later words of `services`.

/** The section `services`. */
export const services = {
  onTheServer: 'Earlier versions are stored on the server.',
  loading: 'Loading…',
  noVersions: 'Nothing was replaced in the last 30 days.',
  useVersion: 'Use this',
};
