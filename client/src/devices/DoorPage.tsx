// The page for a device without access: pairing with a code, coming back from a provider, trusting this
// Segmance, and help without a code.

import type { Route } from '../services/routes';
import { ArrivalPage } from '../signIn/ArrivalPage';
import { InstallPage } from './InstallPage';
import { PairPage } from './PairPage';
import { UnpairedPage } from './UnpairedPage';
import './door.css';

/** The page for an address that needs access. */
export function DoorPage({ route, onAside }: { route: Route; onAside: () => void }): JSX.Element {
  return (
    <div className="door">
      {route.page === 'install' && <InstallPage />}
      {route.page === 'signIn' && (route.query === '' ? <UnpairedPage onAside={onAside} /> : <ArrivalPage query={route.query} />)}
      {route.page === 'pair' && (route.token === ''
        ? <UnpairedPage onAside={onAside} />
        : <PairPage key={route.token} token={route.token} />)}
    </div>
  );
}
