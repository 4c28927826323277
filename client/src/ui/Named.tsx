// A sentence around a name that somebody typed.

/** Stands for the name while a message is split; no message contains it. */
const gap = '\u{fffc}';

interface NamedProps {
  /** A message of the words whose gap is the name. */
  readonly message: (name: string) => string;
  readonly name: string;
  readonly isBold?: boolean;
}

/** Shows the sentence; the text direction of the name ends with the name. */
export function Named({ message, name, isBold = false }: NamedProps): JSX.Element {
  const [before = '', after = ''] = message(gap).split(gap);
  const isolated = <bdi>{name}</bdi>;
  return <>{before}{isBold ? <b>{isolated}</b> : isolated}{after}</>;
}
