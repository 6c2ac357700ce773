/**
 * The stored traits of a visitor's browser: its kind of device and its language. Nothing else from
 * the `User-Agent` and `Accept-Language` headers is stored.
 */
export type DeviceKind = 'desktop' | 'mobile' | 'tablet' | 'bot';

export function deviceKindOf(userAgent: string | undefined): DeviceKind | null {
  if (userAgent === undefined || userAgent.trim() === '') return null;
  if (/bot|crawl|spider|slurp|preview|facebookexternalhit|curl|wget|headless/i.test(userAgent)) {
    return 'bot';
  }
  if (/ipad|tablet|kindle|silk|playbook/i.test(userAgent)) return 'tablet';
  if (/android/i.test(userAgent) && !/mobile/i.test(userAgent)) return 'tablet';
  return /mobi|iphone|ipod/i.test(userAgent) ? 'mobile' : 'desktop';
}

export function languageOf(acceptLanguage: string | undefined): string | null {
  const [, tag] = /^\s*([A-Za-z]{2,3})(?:[-,;\s]|$)/.exec(acceptLanguage ?? '') ?? [];
  return tag?.toLowerCase() ?? null;
}
