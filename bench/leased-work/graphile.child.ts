/**
 * A graphile-worker process. `ahead` is 0 for the library's defaults; otherwise it is the size of a
 * local queue of jobs fetched in advance.
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
