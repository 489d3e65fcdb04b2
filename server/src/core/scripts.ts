/* The scripts of a text, by Unicode Standard Annex 24 and the restriction levels of Unicode Technical Standard 39. */

/** Names of scripts (Unicode 17). Those that this Node does not know yet are left out. */
const names = (
  'Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Beria_Erfe Bhaiksuki ' +
  'Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian ' +
  'Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs ' +
  'Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Gurung_Khema ' +
  'Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian ' +
  'Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao ' +
  'Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen ' +
  'Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro ' +
  'Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki ' +
  'Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic ' +
  'Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic ' +
  'Samaritan Saurashtra Sharada Shavian Siddham Sidetic SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar ' +
  'Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Tai_Yo Takri Tamil Tangsa Tangut Telugu Thaana Thai ' +
  'Tibetan Tifinagh Tirhuta Todhri Tolong_Siki Toto Tulu_Tigalari Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi ' +
  'Zanabazar_Square'
).split(' ')

/** Most usernames are in one of these. Their letters, except modifiers, belong to no other script. */
const common = 'Latin Cyrillic Greek Arabic Hebrew Armenian Georgian Thai'.split(' ')

const writtenIn = (...scripts: string[]): RegExp =>
  new RegExp(`^[${scripts.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]*$`, 'u')

/** The sets of scripts of Japanese, Taiwanese and Korean, with Latin. */
const mixtures = [
  writtenIn('Latin', 'Han', 'Hiragana', 'Katakana'),
  writtenIn('Latin', 'Han', 'Bopomofo'),
  writtenIn('Latin', 'Han', 'Hangul'),
]

/** Digits, punctuation, emoji and combining marks belong to every script. */
const ofEveryScript = /[\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]+/gu

const patterns = new Map<string, RegExp | undefined>()

/** The letters of a script, created on first use because all together take tens of milliseconds. */
function patternOf(script: string): RegExp | undefined {
  if (!patterns.has(script)) {
    try {
      patterns.set(script, writtenIn(script))
    } catch {
      patterns.set(script, undefined)
    }
  }
  return patterns.get(script)
}

/** True if a text in NFKC is "highly restrictive": in one script, or in a usual mixture. A Cyrillic а among Latin letters is not. */
export function isHighlyRestrictive(text: string): boolean {
  const letters = [...new Set(text.replaceAll(ofEveryScript, ''))].join('')
  if (letters === '' || mixtures.some((mixture) => mixture.test(letters))) return true
  const [letter = ''] = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u.exec(letters) ?? []
  const only = common.find((script) => letter !== '' && patternOf(script)?.test(letter))
  if (only !== undefined) return patternOf(only)?.test(letters) === true
  return names.some((script) => patternOf(script)?.test(letters))
}
