// The keys of the routine page while another device is controlled: they act on that device.

import { useLayoutEffect } from 'react';
import { practiceAction, sessionKey } from '../player/keys';
import { isMissKey } from '../player/missKeys';
import type { Remote } from './remote';

const keyStep = 5;

/** Listens before the page's own player does; `remote` gets the commands. */
export function useRemoteKeys(remote: Remote): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || target?.closest('input:not([type=range]), textarea, select, dialog, [role=menu]')) return;
      if (remote.state?.takesMisses && isMissKey(event)) {
        // Of a button that was reached by the Tab key these are its own.
        if ((event.key === ' ' || event.key === 'Enter') && target?.matches('button:focus-visible, a:focus-visible')) return;
        if (!event.repeat) remote.miss();
        event.preventDefault();
        return;
      }
      const action = practiceAction(event);
      if (remote.state?.session != null && action !== 'toggle') {
        const command = sessionKey(event);
        if (command !== 'next' && command !== 'again' && command !== 'longer') return;
        if (!event.repeat) remote.session(command);
        event.preventDefault();
        return;
      }
      switch (action) {
        case 'toggle':
          // The space bar presses a button that has keyboard focus.
          if (target?.matches('button:focus-visible, a:focus-visible')) return;
          if (!event.repeat) remote.toggle();
          break;
        case 'seekBack':
        case 'seekForward':
          remote.skip(action === 'seekForward' ? 1 : -1);
          break;
        case 'slower':
        case 'faster':
          remote.faster(action === 'faster' ? keyStep : -keyStep);
          break;
        case 'markA':
        case 'markB':
          if (!event.repeat) remote.mark(action === 'markA' ? 'a' : 'b');
          break;
        case 'loop':
          if (!event.repeat) remote.whole();
          break;
        case 'previousPart':
          remote.previous();
          break;
        case 'nextPart':
          remote.next();
          break;
        default:
          return;
      }
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed, true);
    return () => window.removeEventListener('keydown', pressed, true);
  }, [remote]);
}
