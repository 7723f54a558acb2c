/** The key of a caller's authorization: everything that authorization looks at separates callers. */
import { describe, expect, it } from 'vitest';
import { type Caller, hasSameRights, toAuthorizationKey } from '../../../../src/http/auth/caller.js';

const caller: Required<Caller> = {
  name: 'operator',
  id: 'operator',
  scopes: new Set(['read', 'write']),
  organizationIds: new Set([310, 311]),
  credential: { kind: 'token', token: 'one' },
};

/** Another value of each field. A new field of a caller does not compile before it has one here. */
const changes: { [Field in keyof Required<Caller>]: Pick<Caller, Field> } = {
  name: { name: 'other' },
  id: { id: 'other' },
  scopes: { scopes: new Set(['read']) },
  organizationIds: { organizationIds: new Set([310]) },
  credential: { credential: { kind: 'token', token: 'other' } },
};

/** Names of the caller, which do not change what it may do. The credential is part of the scope. */
const identity: readonly string[] = ['name', 'id', 'credential'];

describe('the key of an authorization', () => {
  it.each(Object.entries(changes))('takes the field %s of the caller into account', (field, change) => {
    const isSame =
      toAuthorizationKey({ ...caller, ...change }, 'scope') === toAuthorizationKey(caller, 'scope');
    expect(isSame).toBe(identity.includes(field));
  });

  it('takes a field into account that it does not know', () => {
    const restricted = { ...caller, streamIds: new Set([1]) };
    expect(toAuthorizationKey(restricted, 'scope')).not.toBe(toAuthorizationKey(caller, 'scope'));
  });

  it('separates platform credentials, and callers of the whole account from restricted ones', () => {
    expect(toAuthorizationKey(caller, 'one')).not.toBe(toAuthorizationKey(caller, 'other'));
    const keys = [undefined, new Set<number>(), new Set([1])].map((organizationIds) =>
      toAuthorizationKey({ ...caller, organizationIds }, ''),
    );
    expect(new Set(keys).size).toBe(3);
  });

  it('does not depend on the order of scopes and organizations', () => {
    const same: Caller = {
      ...caller,
      scopes: new Set(['write', 'read']),
      organizationIds: new Set([311, 310]),
    };
    expect(toAuthorizationKey(same, '')).toBe(toAuthorizationKey(caller, ''));
    expect(hasSameRights(same, caller)).toBe(true);
    expect(hasSameRights({ ...same, name: 'other' }, caller)).toBe(false);
    expect(hasSameRights({ ...same, scopes: new Set(['read']) }, caller)).toBe(false);
  });
});
