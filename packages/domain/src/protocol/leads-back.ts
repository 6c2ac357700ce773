/**
 * A client that speaks both eras opens a session with `server/discover`. A server of the older era
 * does not know that request and may answer anything, after which the client sends `initialize`.
 * Three errors only exist in the newer era, so they never lead back to `initialize`.
 */
export function leadsBackToInitialize(errorCode: number): boolean {
  return !modernErrors.includes(errorCode);
}

export const headerMismatchCode = -32020;
export const missingCapabilityCode = -32021;
export const unsupportedVersionCode = -32022;

const modernErrors: readonly number[] = [
  headerMismatchCode,
  missingCapabilityCode,
  unsupportedVersionCode,
];
