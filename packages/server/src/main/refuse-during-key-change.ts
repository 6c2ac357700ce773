/**
 * Rejects commands that write the data to a file while the secret key is being changed. The
 * database then contains values under two keys, so neither key alone could decrypt the whole file.
 */
import { isKeyChanging } from '../platform/database/key-facts.ts';
import { BadSetting } from './setting.ts';

export async function refuseDuringKeyChange(url: string): Promise<void> {
  if (!(await isKeyChanging(url))) return;
  throw new BadSetting(
    'The secret key is being changed; wait for the end of proofmark admin rotate-secret-key.',
  );
}
