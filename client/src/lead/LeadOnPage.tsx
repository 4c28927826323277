// Leading and following on the page of a routine.

import { useSyncExternalStore } from 'react';
import type { Led } from '../parts/led';
import { throughPlayable, useRun } from '../parts/useRun';
import { useServices } from '../services/services';
import type { Part, Routine } from '../sync/records';
import { Following } from './Following';
import { Leading } from './Leading';
import './lead.css';

/** What the routine page shows. */
export interface LeadOnPageProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly part: Part;
  readonly index: number;
  readonly onShow: (index: number) => void;
  readonly onLed: (led: Led | null) => void;
}

/** The bar of who leads or follows. */
export function LeadOnPage({ routine, parts, part, index, onShow, onLed }: LeadOnPageProps): JSX.Element | null {
  const { leads } = useServices();
  const own = useSyncExternalStore(leads.subscribe, () => leads.own);
  const whole = useRun(routine.id, parts);
  if (own?.routine !== routine.id) return null;
  const wholeIds = whole ? [whole.playable.id, throughPlayable(whole.playable, routine.id).id] : [];
  return own.does === 'leads'
    ? <Leading routine={routine} part={part} wholeIds={wholeIds} />
    : <Following routine={routine} parts={parts} index={index} whole={whole} onShow={onShow} onLed={onLed} />;
}
