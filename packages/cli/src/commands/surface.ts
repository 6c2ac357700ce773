import { Command } from 'commander';
import { surfacePinCommand } from './surface/pin.ts';
import type { OwnService } from './test/open-service.ts';

export function surfaceGroup(own: OwnService): Command {
  return new Command('surface')
    .description('pin what models see of the servers of suites')
    .addCommand(surfacePinCommand(own));
}
