// The build targets with their sources. A target is built again if one of its sources has changed
// or one of its outputs is missing. Command and console are separate targets because the console
// takes seconds to build and the command does not.
import { existsSync } from 'node:fs';
import path from 'node:path';

const everyTarget = [
  'packages/domain/src',
  'packages/report/src',
  'packages/contract/src',
  'packages/client/src',
  'scripts/build.mjs',
  'scripts/build-targets.mjs',
  'tsconfig.json',
];

export const buildTargets = [
  {
    name: 'command',
    sources: [
      ...[...everyTarget, 'packages/server/src', 'packages/cli/src'],
      'packages/cli/package.json',
      'scripts/build-command.mjs',
      'scripts/direct-imports.mjs',
    ],
    outputs: () => ['packages/cli/dist/main.js', 'packages/cli/dist/light/proofmark.mjs'],
  },
  {
    name: 'console',
    sources: [
      ...everyTarget,
      'packages/console/src',
      'packages/console/public',
      'packages/console/index.html',
      'packages/console/vite.config.ts',
      'packages/console/tsconfig.json',
    ],
    outputs: (root) => (hasConsole(root) ? ['packages/console/dist/index.html'] : []),
  },
];

export function hasConsole(root) {
  return existsSync(path.join(root, 'packages/console/index.html'));
}
