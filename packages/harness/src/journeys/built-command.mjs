// The command as run by `packages/cli/bin/proofmark.js` after the build.
import '../../../../scripts/hide-password.mjs';

await import('../../../cli/dist/main.js');
