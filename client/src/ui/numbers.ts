// Numbers as the interface writes them.

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** Formats a percentage: `75%`. */
export function percentText(percent: number): string {
  return percents.format(percent / 100);
}
