/** Values of two keys lie in the database then, and a file of them would open with neither alone. */
import { isKeyChanging } from '../platform/database/key-facts.ts';
import { BadSetting } from './setting.ts';

export async function refuseDuringKeyChange(url: string): Promise<void> {
  if (!(await isKeyChanging(url))) return;
  throw new BadSetting(
    'The secret key is being changed; wait for the end of proofmark admin rotate-secret-key.',
  );
}
