import { parseTrustedProxy } from '../platform/http/client-address.ts';
import { BadSetting, textList } from './setting.ts';

/** Checks the proxies and returns them as written, so that they can be shown. */
export function trustedProxies(given: unknown, where: string): readonly string[] {
  const list = textList(given, where);
  try {
    list.forEach(parseTrustedProxy);
  } catch (error) {
    throw new BadSetting(`${where}: ${(error as Error).message}`);
  }
  return list;
}
