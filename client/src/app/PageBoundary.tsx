// Shown in place of a page that failed: an error in one page does not affect the others.

import { Component, type ReactNode } from 'react';
import { LoadAgain } from '../ui/lazyPage';
import { words } from '../words/words';
import type { Place } from '../services/navigation';

interface PageBoundaryProps {
  readonly place: Place;
  readonly children: ReactNode;
}

/** Shows its content; after an error it shows a message until the user navigates elsewhere. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError = (): { hasFailed: boolean } => ({ hasFailed: true });

  override state = { hasFailed: false };

  override componentDidCatch(error: unknown): void {
    // The browser reports it like any other error.
    reportError(error);
  }

  override componentDidUpdate({ place }: PageBoundaryProps): void {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <LoadAgain title={words.app.pageFailed}>
        {words.app.pageFailedWhy} <a href="/settings">{words.common.settings}</a>
      </LoadAgain>
    );
  }
}
