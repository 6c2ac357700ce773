/**
 * A worker of the library that runs our other jobs, with its defaults or with a local queue that
 * fetches many jobs at once.
 */
import { Logger, run } from 'graphile-worker';

const [connectionString = '', jobs, ahead = '0'] = process.argv.slice(2);
await run({
  connectionString,
  concurrency: 8,
  maxPoolSize: 10,
  pollInterval: 1000,
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: {
    bench: async () => {
      if (jobs === 'hang') await new Promise(() => undefined);
    },
  },
  ...(ahead !== '0' && { preset: { worker: { localQueue: { size: Number(ahead) } } } }),
});
console.log('{}');
