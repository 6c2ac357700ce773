/** A thread that takes longer to start than its time limit for work, as on a busy machine. */
import { parentPort, workerData } from 'node:worker_threads';
import { threadReady } from './thread-ready.ts';

const wait = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const { startMs, workMs } = workerData as { startMs: number; workMs: number };
parentPort?.on('message', () => {
  wait(workMs);
  parentPort?.postMessage('done');
});
wait(startMs);
parentPort?.postMessage(threadReady);
