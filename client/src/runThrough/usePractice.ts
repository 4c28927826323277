// The module with the arithmetic of practice, and the log, for components.

import { useEffect, useState } from 'react';
import type { PracticeExports } from '../generated/practice';
import { loadPractice } from '../practice/practiceModule';
import { useServices } from '../services/services';

/** Returns the module; null until it is loaded. */
export function usePractice(): PracticeExports | null {
  const [practice, setPractice] = useState<PracticeExports | null>(null);
  useEffect(() => {
    let isHere = true;
    loadPractice().then((module) => isHere && setPractice(module), reportError);
    return () => {
      isHere = false;
    };
  }, []);
  return practice;
}

/** Opens the log while it is needed; returns whether all of it is there. */
export function useLog(): boolean {
  const { library } = useServices();
  const [isOpen, setOpen] = useState(library.isLogOpen);
  useEffect(() => {
    let isHere = true;
    library.openLog().then(() => isHere && setOpen(true), reportError);
    return () => {
      isHere = false;
    };
  }, [library]);
  return isOpen;
}
