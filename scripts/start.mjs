// `npm start`: prepares the clone, then runs `proofmark serve` with the given arguments in this
// process, so that signals reach the service itself.
import './hide-password.mjs';
import { prepareOrExit } from './prepare.mjs';

await prepareOrExit({ build: true });
process.argv.splice(2, 0, 'serve');
await import('../packages/cli/dist/main.js');
