// Faint marks where the analysis suggests a change in the music; a tap accepts one.

import { lateWords } from '../../words/lateWords';
import { spokenExactTime } from './ruler';
import { pixels, placeOf, useFrame, useStage } from './StageLayer';
import type { StageGuess } from './types';
import { frameAt } from './viewport';

interface StageGuessesProps {
  readonly guesses: readonly StageGuess[];
  readonly onGuess: (frame: number) => void;
}

/** The marks; where they are close together, a press accepts the nearest. */
export function StageGuesses({ guesses, onGuess }: StageGuessesProps): JSX.Element {
  const stage = useStage();
  const frame = useFrame();
  const nearest = (pixel: number): number => {
    const at = frameAt(stage.view, pixel);
    return guesses.reduce((best, guess) => (
      Math.abs(guess.frame - at) < Math.abs(best - at) ? guess.frame : best
    ), Infinity);
  };
  return (
    <>
      {guesses.filter((guess) => guess.frame >= frame.startFrame && guess.frame <= frame.endFrame).map((guess) => (
        <button
          key={guess.frame} type="button" className="stage-guess" data-testid="guess" data-frame={guess.frame}
          aria-label={lateWords.clipper.suggestedAt(spokenExactTime(guess.frame))}
          style={{
            ...pixels({ '--at': placeOf(frame, guess.frame) }),
            ['--strength' as string]: 0.45 + 0.55 * Math.max(0, Math.min(guess.strength, 1)),
          }}
          onClick={(event) => {
            const left = event.currentTarget.closest('.stage-wave')?.getBoundingClientRect().left ?? 0;
            // A keyboard press has no position: it accepts the focused mark.
            onGuess(event.detail === 0 ? guess.frame : nearest(event.clientX - left));
          }}
        >
          <i />
        </button>
      ))}
    </>
  );
}
