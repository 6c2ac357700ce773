import '../../../../scripts/hide-password.mjs';

await import('../../../cli/dist/main.js');
