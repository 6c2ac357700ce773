// Starts a thread from its TypeScript source, for tests: a thread takes over no loader of the thread that
// starts it. A build has every thread as a program of its own and does not use this file.
import { register } from 'tsx/esm/api';

register();
await import(process.argv[2]);
