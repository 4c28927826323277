// Says on every page who leads what now, with a button to join.

import { useSyncExternalStore } from 'react';
import { useLibrary, useServices } from '../services/services';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { lateWords } from '../words/lateWords';
import { readLead } from './leadState';
import { whoLeads } from './who';
import './lead.css';

/** The leads that this page could join. */
export function LeadNote(): JSX.Element | null {
  const { leads, navigation, player } = useServices();
  const library = useLibrary();
  const told = useSyncExternalStore(leads.subscribe, () => leads.told);
  const own = useSyncExternalStore(leads.subscribe, () => leads.own);
  const open = [...told.values()].map(readLead).flatMap((lead) => {
    const routine = lead && library.get('routine', lead.routine);
    return lead && routine && own?.routine !== lead.routine && leads.client !== lead.client ? [{ lead, routine }] : [];
  });
  if (open.length === 0) return null;
  return (
    <ul className="lead-notes" aria-label={lateWords.lead.together}>
      {open.map(({ lead, routine }) => (
        <li key={routine.id} className="lead-bar" data-testid="lead-note">
          <Icon name="lead" size={20} />
          <p>{lateWords.lead.leads(whoLeads(lead, library.status.person ?? 'owner'), routine.title)}</p>
          <Button
            isSmall kind="primary" data-testid="lead-join"
            onClick={() => {
              // In the press, so that the browser allows the sound.
              player.open();
              leads.begin({ routine: routine.id, does: 'follows' });
              const { route } = navigation.place;
              if (route.page !== 'routine' || route.routineId !== routine.id) {
                navigation.go({ page: 'routine', routineId: routine.id, partId: lead.state.part });
              }
            }}
          >
            {lateWords.lead.join}
          </Button>
        </li>
      ))}
    </ul>
  );
}
