/** Lets a few pieces of work run at a time and a few more wait; whoever comes then is turned away. */
export function createCrowdLimit(limit: { readonly running: number; readonly waiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result | 'crowded'> => {
    if (running >= limit.running) {
      if (queue.length >= limit.waiting) return 'crowded';
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      // The place passes on to the next in line, so the count stays as it is.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
