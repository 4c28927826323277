// The browser's full screen for an element. Some browsers have none, as that of an iPhone.

/** Whether an element fills the screen. */
export const fillsScreen = (element: Element | null): boolean => element !== null && document.fullscreenElement === element;

/** Asks for the whole screen, in a gesture; returns whether the browser gives it. */
export async function fillScreen(element: Element | null): Promise<boolean> {
  if (!document.fullscreenEnabled || !element?.requestFullscreen) return false;
  return element.requestFullscreen().then(() => true, () => false);
}

/** Gives the screen back, if an element has it. */
export function leaveScreen(): void {
  // It may have ended already.
  if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
}
