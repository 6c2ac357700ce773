// The command as `packages/cli/bin/proofmark.js` runs it once everything is built.
import '../../scripts/hide-password.mjs';

await import('../../packages/cli/dist/main.js');
