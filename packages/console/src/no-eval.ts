/**
 * Prevents Zod from testing whether `new Function` is allowed, which it would use for faster
 * parsers. The pages' content security policy forbids it, so the test alone would be reported as a
 * violation. This module must run before the first schema is created.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
