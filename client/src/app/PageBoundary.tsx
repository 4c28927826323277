// What stands where a page could not be shown: an error in one page takes no other along.

import { Component, type ReactNode } from 'react';
import { LoadAgain } from '../ui/lazyPage';
import type { Place } from '../services/navigation';

interface PageBoundaryProps {
  readonly place: Place;
  readonly children: ReactNode;
}

/** Shows its content; where that throws, says so until one goes elsewhere. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError = (): { hasFailed: boolean } => ({ hasFailed: true });

  override state = { hasFailed: false };

  override componentDidCatch(error: unknown): void {
    // The browser hears of it as of any other error.
    reportError(error);
  }

  override componentDidUpdate({ place }: PageBoundaryProps): void {
    if (this.state.hasFailed && place !== this.props.place) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <LoadAgain title="This page can’t be shown">
        Something in it went wrong. What you did is kept. <a href="/settings">Settings</a>
      </LoadAgain>
    );
  }
}
