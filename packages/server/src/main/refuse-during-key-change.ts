/**
 * Rejects commands during a key change. The database then contains values under two keys, so a file
 * of them could be opened with neither key alone.
 */
import { isKeyChanging } from '../platform/database/key-facts.ts';
import { BadSetting } from './setting.ts';

export async function refuseDuringKeyChange(url: string): Promise<void> {
  if (!(await isKeyChanging(url))) return;
  throw new BadSetting(
    'The secret key is being changed; wait for the end of proofmark admin rotate-secret-key.',
  );
}
