// A link to another page of the app.

import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { pathOf, type Route } from './routes';
import { useServices } from './services';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> {
  readonly route: Route;
}

/** A link that navigates inside the app; with a modifier key the browser opens its own tab. */
export function Link({ route, ...rest }: LinkProps): JSX.Element {
  const { navigation } = useServices();
  const press = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigation.go(route);
  };
  return <a {...rest} href={pathOf(route)} onClick={press} />;
}
