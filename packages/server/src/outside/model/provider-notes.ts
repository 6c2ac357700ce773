/**
 * Signatures that some providers attach to a tool call or to its reasoning, and want back with the
 * conversation. No other system can use them, so traces do not contain them. Each signature is
 * stored with the `input` object of the call, or with the reasoning object, for as long as that
 * object lives.
 */
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';

const notes = new WeakMap<object, SharedV3ProviderMetadata>();

export function keepProviderNotes(beside: object, given: SharedV3ProviderMetadata): void {
  notes.set(beside, given);
}

export function providerNotesOf(beside: object): SharedV3ProviderMetadata | undefined {
  return notes.get(beside);
}
