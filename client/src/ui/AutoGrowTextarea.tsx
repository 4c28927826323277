// A text field that grows with its text, and shows the remaining characters near the limit.

import { forwardRef, type TextareaHTMLAttributes } from 'react';
import { characterCount } from '../sync/validation';
import './autoGrowTextarea.css';
import { limitInput, timesKept } from './typing';
import { words } from '../words/words';

interface GrowingTextProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  readonly value: string;
  readonly limit: number;
  readonly onText: (text: string) => void;
  readonly enterKeyHint?: 'done';
}

/** Text of any script. One of more than `limit` characters stays; whoever saves it refuses it. */
export const AutoGrowTextarea = forwardRef<HTMLTextAreaElement, GrowingTextProps>(
  ({ value, limit, onText, className, ...rest }, ref): JSX.Element => {
    const count = value.length > limit * 0.8 ? characterCount(value) : 0;
    return (
      <>
        <span className={`growing ${className ?? ''}`} data-text={value}>
          <textarea
            rows={1} dir="auto" autoComplete="off" {...rest} ref={ref} value={value}
            onChange={(event) => onText(limitInput(event.target, value, limit * timesKept))}
          />
        </span>
        {count > limit * 0.8 && (
          <small className={count > limit ? 'counter time is-over' : 'counter time'} role="status" data-testid="counter">{words.ui.countOf(count, limit)}</small>
        )}
      </>
    );
  },
);
AutoGrowTextarea.displayName = 'GrowingText';
