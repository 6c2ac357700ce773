#!/usr/bin/env node
// Builds the command first when its sources changed, then is the command.
import '../../../scripts/hide-password.mjs';
import { prepareOrExit } from '../../../scripts/prepare.mjs';

await prepareOrExit({ build: true });
await import('../dist/main.js');
