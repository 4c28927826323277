// The usage guide, by topic.

import { lateWords } from '../words/lateWords';
import './guide.css';

/** The chapters. */
export function UsageGuide(): JSX.Element {
  return (
    <div className="usage" data-testid="usage-guide">
      {lateWords.guide.chapters.map(({ title, lines }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>{lines.map((line) => <li key={line}>{line}</li>)}</ul>
        </section>
      ))}
    </div>
  );
}
