import { hostname } from 'node:os';
import { operatesInstallation } from '@proofmark/domain';
import { roleInFirstOrganization } from '../../../platform/accounts/store/organizations.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import type { HealthParts } from '../health-context.ts';
import { readInstallationLoad } from '../store/read-installation-load.ts';
import { lookAtBrowser } from './look-at-browser.ts';
import { presentHealth } from './present-health.ts';

export const getHealth: Action<'getHealth', HealthParts> = async ({
  caller,
  database,
  freeDiskSpace,
  widgets,
}) => {
  if (!operatesInstallation(await roleInFirstOrganization(database, caller.account.id))) {
    refuse({
      code: 'FORBIDDEN',
      message:
        'Only owners and admins of the first organization may see the health of the installation.',
    });
  }
  const browser = await lookAtBrowser(widgets, longestWaitMs);
  return presentHealth(
    await readInstallationLoad(database),
    await freeDiskSpace(),
    browser,
    processName(),
  );
};

/** The maximum wait for the browser, in milliseconds. It ends before the request's own deadline. */
const longestWaitMs = 3000;

function processName(): string {
  return `process ${process.pid} on ${hostname()}`;
}
