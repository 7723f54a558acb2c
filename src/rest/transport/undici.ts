/** The parts of undici that send requests. The whole package takes 9 MB more and twice the time to load. */
import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const requireModule = createRequire(import.meta.url);

export type Client = Undici.Client;
export const Client = requireModule('undici/lib/dispatcher/client.js') as typeof Undici.Client;
export const buildConnector = requireModule('undici/lib/core/connect.js') as typeof Undici.buildConnector;
export const errors = requireModule('undici/lib/core/errors.js') as typeof Undici.errors;
