// The tags of a routine in its editor: each can be removed, and one more typed or chosen.

import { useState } from 'react';
import { useFromLibrary, useServices } from '../services/services';
import type { Routine } from '../sync/records';
import { characterCount } from '../sync/validation';
import { announce } from '../ui/announce';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { TooLong } from '../ui/TooLong';
import { oneLine } from '../ui/text';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { allTags, hasTag, longestTag, mostTags, suggestedTags, tagsOf, textOfTags, withTag } from './tags';
import './tags.css';

/** Shows and edits the tags; each change is saved at once. */
export function TagField({ routine }: { routine: Routine }): JSX.Element {
  const { library } = useServices();
  const routines = useFromLibrary((current) => current.all('routine'));
  const [typed, setTyped] = useState('');
  const tags = tagsOf(routine);
  const isFull = tags.length >= mostTags;
  const suggested = isFull ? [] : suggestedTags(allTags(routines), tags, typed);
  const save = (changed: readonly string[]): void => library.edit('routine', routine.id, { tags: textOfTags(changed) });
  const add = (text: string): void => {
    const changed = withTag(tags, text);
    if (changed) {
      save(changed);
      announce(lateWords.routines.tagAdded(text.trim()));
    }
    // One that is too long stays, to be shortened.
    if (changed || hasTag(tags, text.trim())) setTyped('');
  };
  return (
    <div className="tag-field" role="group" aria-labelledby="tags-label" data-testid="tag-field">
      <div className="field"><span id="tags-label">{words.routines.tags}</span></div>
      {tags.length > 0 && (
        <ul className="tag-list">
          {tags.map((tag) => (
            <li key={tag}>
              <button
                type="button" className="tag" aria-label={lateWords.routines.removeTag(tag)} data-testid="tag"
                onClick={(event) => {
                  // The button disappears, and the focus would be lost.
                  event.currentTarget.closest('.tag-field')?.querySelector('input')?.focus();
                  save(tags.filter((other) => other !== tag));
                }}
              >
                <bdi>{tag}</bdi>
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isFull
        ? <p className="small-note" data-testid="tags-full">{lateWords.routines.tagsFull(mostTags)}</p>
        : (
          <div className="tag-entry">
            <input
              className="input" type="text" dir="auto" autoComplete="off" enterKeyHint="done" value={typed}
              aria-label={lateWords.routines.newTag} placeholder={lateWords.routines.tagHint} data-testid="tag-input"
              onChange={(event) => {
                const text = oneLine(event.target.value);
                if (text.endsWith(',')) add(text.slice(0, -1));
                else setTyped(text);
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                event.preventDefault();
                add(typed);
              }}
            />
            <Button
              disabled={typed.trim() === '' || characterCount(typed.trim()) > longestTag} data-testid="tag-add"
              onClick={() => add(typed)}
            >
              {lateWords.routines.addTag}
            </Button>
          </div>
        )}
      <TooLong text={typed.trim()} limit={longestTag} />
      {suggested.length > 0 && (
        <ul className="tag-list" aria-label={lateWords.routines.suggestedTags}>
          {suggested.map((tag) => (
            <li key={tag}>
              <button type="button" className="tag is-suggested" data-testid="tag-suggestion" onClick={() => add(tag)}>
                <Icon name="plus" size={16} />
                <bdi>{tag}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
