import { allCommands } from './all-commands.ts';
import { runAsProcess } from './run-as-process.ts';

await runAsProcess(allCommands);
