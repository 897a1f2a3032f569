/** Words that announce people in a list, or one in a field: `Founders: …`, `Chair: …`, `Przewodniczący: …`. */

/** Words that announce people, and nothing else. */
export const PEOPLE =
  'co-?founders?|founders?|visitors?|callers?|hosts?|hostesses|friends|neighbou?rs|residents|lodgers|ushers|bridesmaids|groomsmen|godparents|parents|children|siblings|swimmers|runners|riders|rowers|singers|readers|pickers|cleaners|carers|porters|stewards|caretakers|builders|painters|testers|designers|developers|engineers|analysts|consultants|cashiers|cooks|waiters|baristas|bakers|besucher|gäste|gastgeber|schüler(?:innen)?|fahrer|helfer(?:innen)?|invités|élèves|bénévoles|invitados|alumnos|voluntarios|invitati|allievi|volontari|convidados|alunos|gasten|leerlingen|vrijwilligers|goście|uczniowie|wolontariusze|attendees|participants|authors?|members|speakers|guests|present|owners?|contributors|directors?|editors?|signatories|witnesses|partners|trustees|heirs|patients|passengers|players|staff|reviewers?|approvers?|assignees?|organi[sz]ers|invitees|panell?ists|interpreters|translators|actors|musicians|dancers|referees|examiners|jurors|winners|finalists|nominees|candidates|applicants|employees|students|pupils|teachers|volunteers|mentors|coaches|judges|representatives|delegates|managers|maintainers|committers|leads|leaders|tenants|beneficiaries|guarantors|defendants|plaintiffs|claimants|survivors|drivers|doctors|nurses|recipients|interviewe(?:r|e)s?|observers|absentees|instructors|tutors|lecturers|revisores|revisori|autora|gründer|teilnehmer(?:innen)?|autoren|anwesend|entschuldigt|fondateurs|participants|auteurs|présents|absents|fundadores|asistentes|autores|presentes|ausentes|fondatori|partecipanti|autori|presenti|assenti|participantes|deelnemers|aanwezig|afwezig|auteurs|uczestnicy|obecni|nieobecni|autorzy';
/** Words that announce people or things. */
export const PERHAPS =
  'panel|team|crew|cast|board|jury|committee|cc|apologies|regrets|attending|absent|on call|on-call|family|class|squad|scorers|bookings|substitutes|subs|' +
  'short ?list(?:ed)?|guest list|crew list|on leave|on shift|off sick|line-?up|invited|cover|rota|shift|zeugen|prüfer|verfasser|vertretung|témoins|lauréats|finalistes|jurés|' +
  'testigos|finalistas|ponentes|testimoni|finalisti|relatori|testemunhas|oradores|getuigen|sprekers|świadkowie|prelegenci';
/** What one person is, in the minutes of a meeting, at school, in a hospital, in eight languages: no firm or thing is. */
export const OFFICES =
  'advis[oe]rs?|chair(?:man|woman|person)?|vice-chair|co-chair|treasurer|secretary|minute-taker|note-taker|scribe|facilitator|moderator|proposer|proposed(?: by)?|seconder|seconded(?: by)?|captain|referee|umpire|bride|groom|best man|godfather|godmother|next of kin|caller|nurse|surgeon|midwife|anaesthetist|anesthetist|therapist|social worker|teacher|tutor|headteacher|supervisor|line manager|invigilator|understudy|soloist|interviewer|interviewee|cardholder|neighbou?r|caretaker|babysitter|nanny|godparent|widow|widower|deceased|survived by' +
  '|vorsitz(?:ende[rn]?)?|schriftführer(?:in)?|protokollführer(?:in)?|kassenwart(?:in)?|kassenprüfer(?:in)?|beisitzer(?:in)?|antragsteller(?:in)?|anrufer(?:in)?|nachmieter(?:in)?|zeug(?:e|in)|trauzeug(?:e|in)|pate|patin|klassenlehrer(?:in)?|lehrer(?:in)?|trainer(?:in)?|hausmeister(?:in)?|fahrer(?:in)?|sachbearbeiter(?:in)?|karteninhaber(?:in)?|nachbar(?:in)?' +
  '|présidente?(?: de séance)?|secrétaire(?: de séance)?|trésori(?:er|ère)|rapporteur|rapporteuse|animateur|animatrice|appelante?|infirmi(?:er|ère)|professeure?|entraîneur|entraîneuse|tuteur|tutrice|parrain|marraine|remplaçante?|gardienne?|voisine?' +
  '|president[ea]|preside|secretari[oa]|tesorer[oa]|moderadora?|vocal|vecin[oa]|enfermer[oa]|profesora?|tutora|entrenadora?|testigo|padrino|madrina|capitán|suplente|conserje' +
  '|segretari[oa]|tesorier[ea]|verbalizzante|vicin[oa]|infermier[ea]|professor(?:e|essa)|maestr[oa]|allenatore|allenatrice|testimone|capitano|autista' +
  '|secretári[oa]|tesoureir[oa]|relatora?|vizinh[oa]|enfermeir[oa]|professora|treinadora?|testemunha|padrinho|madrinha|capitão|porteir[oa]|motorista|síndic[oa]|zeladora?' +
  '|voorzitter|secretaris|penningmeester|notulist|buurman|buurvrouw|verpleegkundige|leraar|lerares|getuige|aanvoerder|invaller|conciërge|beller' +
  '|przewodnicząc[ay]|sekretarz|skarbnik|protokolant(?:ka)?|sąsiad(?:ka)?|pielęgniarka|nauczyciel(?:ka)?|wychowawca|wychowawczyni|trenerka|świadek|kapitan|dozorca|kierowca';
/** How somebody voted, or what somebody does in a meeting: a list must know the name, unless somebody stands near. */
export const VOTES =
  'against|abstained|abstaining|abstentions?|opposed|dissenting|in favou?r|protokoll|leitung|moderation|dagegen|enthaltung|enthaltungen|enthalten|contre|contra|abstención|abstenciones|contrari[oa]?|favorevoli|astenut[io]|abstenção|abstenções|tegen|onthouding|onthoudingen|przeciw|wstrzymał się|wstrzymała się';
/** Who has a part in a contract or a payment, which firms have, too, and where things stand in German: a list must know the name. */
export const PARTIES =
  'landlord|landlady|tenant|lodger|plaintiff|defendant|complainant|claimant|witness|executor|trustee|beneficiary|recipient|addressee|sender|payee|payer|applicant|candidate|policyholder|account holder|emergency contact|coach|manager|consultant|substitute|stand-in|runner-up' +
  '|stellvertretung|vermieter(?:in)?|mieter(?:in)?|kläger(?:in)?|beklagter?|versicherungsnehmer(?:in)?|kontoinhaber(?:in)?|empfänger(?:in)?|absender(?:in)?|auftraggeber(?:in)?|betreuer(?:in)?|vertreter(?:in)?|gutachter(?:in)?|verantwortlich' +
  '|témoin|locataire|bailleur|propriétaire|titulaire|assurée?|bénéficiaire|destinataire|expéditeur|demandeur|demanderesse|remplacement' +
  '|inquilin[oa]|casero|casera|arrendadora?|titular|beneficiari[oa]|destinatari[oa]|remitente|asegurad[oa]' +
  '|locatore|locataria|conduttore|intestatari[oa]|mittente|assicurat[oa]|custode|supplente' +
  '|senhorio|senhoria|beneficiári[oa]|destinatári[oa]|remetente|segurad[oa]' +
  '|huurder|verhuurder|rekeninghouder|begunstigde|ontvanger|afzender|verzekerde' +
  '|najemca|wynajmujący|posiadacz|beneficjent|odbiorca|nadawca|ubezpieczon[ya]|zastępstwo';
