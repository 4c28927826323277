// The paper of a cue sheet. Pure.

/** The two that printers are filled with. */
export type Paper = 'a4' | 'letter';

// Where paper is sold by the inch (Unicode CLDR, measurementData, paperSize "US-Letter").
const letterRegions = ['BZ', 'CA', 'CL', 'CO', 'CR', 'GT', 'MX', 'NI', 'PA', 'PH', 'PR', 'SV', 'US', 'VE'];

/** Gives the paper that is usual where a language (BCP 47) is spoken; A4 where that can't be told. */
export function usualPaper(language: string): Paper {
  try {
    return letterRegions.includes(new Intl.Locale(language).maximize().region ?? '') ? 'letter' : 'a4';
  } catch {
    return 'a4';
  }
}
