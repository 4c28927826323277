// The paper size of a sheet to print. Pure.

/** The two common paper sizes. */
export type Paper = 'a4' | 'letter';

// Regions that use US Letter (Unicode CLDR, measurementData, paperSize "US-Letter").
const letterRegions = ['BZ', 'CA', 'CL', 'CO', 'CR', 'GT', 'MX', 'NI', 'PA', 'PH', 'PR', 'SV', 'US', 'VE'];

/** Returns the usual paper size for a language (BCP 47); A4 if unknown. */
export function usualPaper(language: string): Paper {
  try {
    return letterRegions.includes(new Intl.Locale(language).maximize().region ?? '') ? 'letter' : 'a4';
  } catch {
    return 'a4';
  }
}
