/** The parameters of PAMU, the two profiles and the paper's ablations as values, and what a workspace may override. */

export interface Settings {
  /** W: how many accepted values the sliding mean covers; whole, 1 to 64. */
  readonly window: number
  /** How slowly the moving average forgets; above 0, below 1. */
  readonly beta: number
  /** Weight of the sliding mean: from 0 to 1, by variances (Eq. 13), or by variances and divergence. */
  readonly lambda: number | 'auto' | 'dynamic'
  /** Start of the moving average: weight 1/age while that is more, or the first value with full weight. */
  readonly emaInit: 'annealed' | 'first'
  /** Bound of the divergence C (Eq. 17) for a shift, above 0; null looks for none. */
  readonly delta: number | null
  /** Whether `delta` counts standard deviations of what happens without change, whatever `window` and `beta`. */
  readonly calibrate: boolean
  /** Bound of one value's distance for a jump, in standard deviations, above 0; null looks for none. */
  readonly deltaJump: number | null
  /** Factor of both bounds for three and more categories, above 0 up to 1. */
  readonly catScale: number
  /** Dead band: differences of this size are nobody's preference; in units of preference, 0 or more. */
  readonly epsilon: number
  /** Standard deviation of one value, as assumed at the start, above 0, and how many values this is worth. */
  readonly s0: number
  readonly nu0: number
  /** How many values the spread of one value rests on at most. */
  readonly memory: number
  /** One difference counts at most this many standard deviations in the spread. */
  readonly wins: number
  /** Values that a shift keeps; at most `window`. */
  readonly cut: number
  /** Whether a shift begins the estimate anew or is only told. */
  readonly action: 'restart' | 'none'
  /** How far beyond its bounds a label is kept, in units of preference; 0 keeps none. */
  readonly hysteresis: number
  /** An unconfirmed jump is shown when this many dimensions jump in one turn; 0 shows none. */
  readonly eagerDims: number
  /** Whether the model is told the preferences at all. */
  readonly directive: boolean
  /** Whether the estimate stops for good once the window is full. */
  readonly frozen: boolean
}

const ADAPTIVE: Settings = {
  window: 5,
  beta: 0.9,
  lambda: 'auto',
  emaInit: 'annealed',
  delta: 3,
  calibrate: true,
  deltaJump: 3,
  catScale: 0.75,
  epsilon: 0.02,
  s0: 0.08,
  nu0: 1,
  memory: 20,
  wins: 3,
  cut: 2,
  action: 'restart',
  hysteresis: 0.03,
  eagerDims: 2,
  directive: true,
  frozen: false,
}

/** `adaptive` detects and acts on it; `paper` is the equations as printed. */
export const PROFILES = {
  adaptive: ADAPTIVE,
  paper: {
    ...ADAPTIVE,
    lambda: 0.5,
    emaInit: 'first',
    delta: 1.5,
    calibrate: false,
    deltaJump: null,
    catScale: 1,
    action: 'none',
    hysteresis: 0,
    eagerDims: 0,
  },
} as const satisfies Record<string, Settings>

const UNDETECTED = { delta: null, deltaJump: null, action: 'none', eagerDims: 0 } as const

/** Ablations of the paper's Table 4, laid over either profile. */
export const PRESETS = {
  /** The moving average alone; without the sliding mean there is no divergence, so nothing is detected. */
  'no-sw': { ...UNDETECTED, lambda: 0 },
  /** The sliding mean alone; without the moving average there is no divergence, so nothing is detected. */
  'no-ema': { ...UNDETECTED, lambda: 1 },
  /** Both averages are fused and no change is looked for. */
  'no-detection': UNDETECTED,
  /** Preferences are followed and never told to the model. */
  'no-prompt': { directive: false },
  /** The newest value alone is the preference. */
  'single-turn': { ...UNDETECTED, window: 1, lambda: 1, hysteresis: 0 },
  /** The mean of the first `window` values is the preference for ever. */
  static: { ...UNDETECTED, lambda: 1, frozen: true },
  /** Both averages weigh the same whatever their variances; everything else is the profile's. */
  'equal-fusion': { lambda: 0.5 },
} as const satisfies Record<string, Partial<Settings>>

export type Profile = keyof typeof PROFILES
export type Preset = keyof typeof PRESETS

/** What a workspace has changed; everything absent is the profile's. */
export interface Tuning {
  readonly profile?: Profile
  readonly preset?: Preset
  readonly lambda?: Settings['lambda']
  readonly beta?: number
  readonly window?: number
  readonly delta?: number
}

/** The profile, over it the preset, over both the single settings. */
export function resolve(tuning: Tuning): Settings {
  const { profile = 'adaptive', preset, ...single } = tuning
  return { ...PROFILES[profile], ...(preset === undefined ? {} : PRESETS[preset]), ...single }
}

/** Sentences about settings that are allowed and probably not meant. */
export function warnings({ window, beta }: Settings): string[] {
  const bound = (window - 1) / (window + 1)
  if (beta > bound) return []
  return [
    `With \`window\` at ${window}, \`beta\` should be above ${bound.toFixed(3)}; at ${beta} the moving average is no ` +
      'slower than the sliding mean, and the difference between them no longer says that something changed.',
  ]
}
