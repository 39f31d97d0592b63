/** Whether anything was said yet that a notice should show. */

const listeners = new Set<() => void>();
let anything = false;

export const spoken = {
  get: (): boolean => anything,

  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  set: (): void => {
    anything = true;
    for (const listener of listeners) listener();
  },
};
