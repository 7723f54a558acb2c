/** Plans both accounts. Pure: the result depends only on the options. */
import type { SlicedComputation } from '../../lib/slicedComputation.js';
import { CINCINNATI, LIVESTOCK, type OrganizationPlan, PORTO, VINEYARDS, WEATHER } from './catalogue.js';
import { planSite } from './planSite.js';
import type { AttributeIds, SiteOddities, WorldShape } from './sitePlan.js';
import { createWorld, type World } from './world.js';

export interface WorldOptions {
  readonly seed: number;
  /** Unix seconds at which the sandbox starts. */
  readonly now: number;
  /** Sites of the first account. */
  readonly siteCount: number;
  readonly shape: WorldShape | undefined;
}

export const FIRST_ACCOUNT = 'Riverside Monitoring';
export const SECOND_ACCOUNT = 'Neighbour Monitoring';
const SECOND_ACCOUNT_SITES = 3;

/** Cincinnati comes first and often, so that even a small account has sites near each other. */
const TURNS = [
  CINCINNATI,
  CINCINNATI,
  CINCINNATI,
  WEATHER,
  LIVESTOCK,
  PORTO,
  CINCINNATI,
  LIVESTOCK,
  WEATHER,
  PORTO,
];
const NONE: SiteOddities = {
  hasNoCoordinates: false,
  hasNoOrganization: false,
  hasBrokenSensor: false,
  hasSilentDevice: false,
  hasAmbiguousNames: false,
  hasLooseEnds: false,
  hasCamera: false,
};

/** Each oddity has its own site, or the last site of a small account. The first two sites have none. */
function odditiesOf(index: number, siteCount: number, isShaped: boolean): SiteOddities {
  if (siteCount < 3) return NONE;
  const isAt = (preferred: number) => index === Math.max(2, Math.min(preferred, siteCount - 1));
  const position = { hasNoCoordinates: isAt(4), hasNoOrganization: siteCount > 3 && isAt(5) };
  if (isShaped) return { ...NONE, ...position };
  return {
    ...position,
    hasBrokenSensor: isAt(6),
    hasSilentDevice: isAt(7),
    hasAmbiguousNames: isAt(8),
    hasLooseEnds: index % 7 === 2,
    hasCamera: index % 6 === 3 || index === 2,
  };
}

interface Person {
  readonly name: string;
  readonly first: string | null;
  readonly last: string | null;
  readonly phone: string | null;
  readonly hasEmail: boolean;
  readonly zone: string;
}

const PEOPLE: readonly Person[] = [
  {
    name: 'gwen',
    first: 'Gwen',
    last: 'Harper',
    phone: '+15135550142',
    hasEmail: true,
    zone: 'America/New_York',
  },
  { name: 'joao', first: 'João', last: 'Pinto', phone: null, hasEmail: true, zone: 'Europe/Lisbon' },
  { name: 'marit', first: 'Marit', last: null, phone: '+4755550117', hasEmail: false, zone: 'Europe/Oslo' },
  { name: 'dashboard', first: null, last: null, phone: null, hasEmail: false, zone: 'UTC' },
];

function planUsers(world: World, accountId: number): void {
  for (const { name, first, last, phone, hasEmail, zone } of PEOPLE) {
    const email = hasEmail ? `${name}@account${accountId}.test` : null;
    const formats = zone === 'America/New_York' ? ['MM/dd/yyyy', 'hh:mm a'] : ['dd.MM.yyyy', 'HH:mm'];
    const id = world.nextId('user');
    world.rows.user.push([id, accountId, name, email, zone, first, last, phone, ...formats]);
  }
}

function planAttributes(world: World, accountId: number): AttributeIds {
  function add(target: 'site' | 'stream', name: string): number {
    const id = world.nextId('attribute');
    world.rows.attribute.push([id, accountId, target, name]);
    return id;
  }
  return {
    assetOwner: add('site', 'Asset owner'),
    installDepth: add('site', 'Install depth m'),
    channelId: add('stream', 'channel_id'),
    calibrated: add('stream', 'Last calibration'),
  };
}

function planOrganizations(world: World, accountId: number, plans: readonly OrganizationPlan[]) {
  return new Map(
    plans.map((plan) => {
      const id = world.nextId('organization');
      world.rows.organization.push([id, accountId, plan.name]);
      return [plan, id] as const;
    }),
  );
}

interface AccountPlan {
  readonly name: string;
  readonly turns: readonly OrganizationPlan[];
  readonly siteCount: number;
  oddities(index: number): SiteOddities;
  readonly shape: WorldShape | undefined;
}

/** A few thousand rows per slice. */
const SITES_PER_SLICE = 100;

function* planAccount(world: World, options: WorldOptions, account: AccountPlan): SlicedComputation<void> {
  const accountId = world.nextId('account');
  world.rows.account.push([accountId, account.name]);
  planUsers(world, accountId);
  const attributes = planAttributes(world, accountId);
  const organizations = planOrganizations(world, accountId, [...new Set(account.turns)]);
  const numbers = new Map<OrganizationPlan, number>();
  for (let index = 0; index < account.siteCount; index++) {
    const organization = account.turns[index % account.turns.length] ?? CINCINNATI;
    const number = numbers.get(organization) ?? 0;
    numbers.set(organization, number + 1);
    planSite(world, {
      seed: options.seed,
      now: options.now,
      accountId,
      organizationId: organizations.get(organization) ?? 0,
      organization,
      number,
      attributes,
      oddities: account.oddities(index),
      shape: account.shape,
    });
    if ((index + 1) % SITES_PER_SLICE === 0) yield;
  }
}

/** Plans two accounts: the first with `siteCount` sites, the second with three. */
export function* planWorld(options: WorldOptions): SlicedComputation<World> {
  const world = createWorld();
  const { siteCount, shape } = options;
  yield* planAccount(world, options, {
    name: FIRST_ACCOUNT,
    turns: TURNS,
    siteCount,
    oddities: (index) => odditiesOf(index, siteCount, shape !== undefined),
    shape,
  });
  yield* planAccount(world, options, {
    name: SECOND_ACCOUNT,
    turns: [VINEYARDS],
    siteCount: SECOND_ACCOUNT_SITES,
    oddities: (index) => ({ ...NONE, hasCamera: index === 0 }),
    shape: undefined,
  });
  return world;
}
