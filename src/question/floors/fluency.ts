/**
 * Runs of three characters that are common in code, by how often the pre-review code of the bundled benchmark
 * (`datasets/starter.jsonl`, MIT) has them: 4 times or more, 8 or more, 16 … Right and wrong revisions are no part of it.
 */
export const COMMON_TRIGRAMS: readonly string[] = [
  '    "\\ "a "e #{ $d $l $n $p %d %w (a (f (i (n (t *p *r -E 0  0, 1) 1, 32 ?? @p AN Ca Di FR Fi He Il In Li No Pa Pr ST Se Ta Te To Va [\' _, _o ac am an ap ar au ba be bu ce ct di do e) fe fr go ha he ho ht i  io p- pl rc sk so sp tt ur us wa we wi!=="))"20"Co"SE"\\n"bo"co"er"me"pa"us$bo$ca$cl$ne$qu$sa$us$va%d %s %s"%s:%w"\');\'] ("c("d("e("s("t("u($c($p($r(()():(1)(Ca(Co(Pa([](ar(ca(ch(cl(en(it(ke(le(me(na(ok(or(p-(ro(s (s-(su(te(ti(vo) !) *) +) -) r).a).d).s* 1* @* s+ s++;, $, \', 1, 3, C, F, L, S, T, [, b, g, k, m, q, v, {-03-04->a->b->e->i->j->l->t->u.""....0..Ad.Da.ID.In.Jo.Lo.Pa.Re.St.To.Un.ac.ap.as.bo.ce.cl.de.di.en.fe.id.is.it.js.le.ma.na.of.or.pl.po.pr.pu.qu.ro.si.so.tr.wa.wr0),0.000 03-03104T0Z"1, 1-02);2, 2022032563-031-4) 64): 1: i: l: r: s:00::P::n::t:PA:no:se:sy; e; i; p< 0= (= 2= ?= D= F= M= N= _= h= o= p= w= {===> l> n> s>ca>fd>fo>id>jo>lo>no>re>se>st?? @paAMPANDAccAddAllBooBytCT CalCanCarChaCliCloCulCusDB_DERDevDieDisDurEADECTELEEXPE_SEntExpFROFedForFroGetHTTHexILEINTId Id)IllImpInfInsJSOJoiLECLL)LL;LedLenLinLocMinMonND NamOM OpePagParPayPlaPluPriProROMRefReqResSELSONSTASerSetSizTAMTERTESTTPTakTarTasTexTheThuTokTotUplUseUtcVou[0][1]] ?]);_, _.e_.f_.s_cl_co_da_de_in_ke_me_on_op_pa_qu_ro_woabaabeaceactad)ad,adSadcaddadoaimainaksal)al,al.al_aliam aniankannap)araarcarnarraryat)atCatRaulavaaveaw,aw[ay)ay.aysb")bacbanbelbinblobnabrobugbuiby_bytc =c Tc ac ic sc vc(cc))c, c->caccancascceccoce,ce:ceIce_cedceicfgcimck.ck_copcorcovct(ctscuscutd +d Ld ad id od rd")d("d()d(1d(sd) d++d.UdAldAtdOndardb.dcade de)de.deldesdgedigdiodisditdo dondoudpods(ds)ds_dstdthducdy)dy,e *e +e :e <e Ve ce de fe ne pe",e("e(be(fe(ie(ne(pe(te).e->e.De.ce.ge.ie.le.ne.pe.re.se.we> eEreExeHeeIdeIneSieToe_ce_ie_pe_sealeaneatebueceecied(ed+ed.edAedgee(eepegaegmejeel(el.eldeleellelsem em(em.em_enAen_enveplepoeq.erPerSerierler{es,esAes[eseesoet,etCet_etaetseveew(ewaewsex_excexeexiey ey(ey)f ff lf nf of pf rf(*f._f.uf::faifclfd fd,feefesfffffsfiefirfloflufolfp)frofs.fseg =g sg {g& g("g);g->g.igalge"ge(ge.geSggegmegnagotgpigragregrogs gs)gs,gs.h =h("h()h);h.Jhatheahedheihemhilhiphreht humianickicsid:iddidtiedielierifeigeignil(il,ilaillimsin)insinuio.io_ipsir ir,irmirsis.ishissit(it-it.itDitijecjoik);k::kerkinkipku,kupkwhl +l(rl->l.tlSelaild ldeldsle,le[le_leelegleplerletlf,lf:ll)llalonls ls(ltulugluslvely ly(m :m(sm, m->m_cmarmbnme minmmemormotms.mt-mwan "n $n -n 0n Hn Nn Pn an dn ln pn {n")n()n(pn(rn(sn(tnTon_an_tnainatnconcynd)nd.ndandpne)nedneenelneyng"ng&nginicnifnisnlenonnotnpunsfnt\'nt,nt:ntCntEntIntfnt{nuenv.nvanveo to_soaloc(oduog(oggogrokiol ol)oleolvom on,onToncongonlonvootop_opyor,or_orpossot)ouboupow)p);pecphapinpiopolpooppepreprops.pt ptspy(q, ql quir %r ar br cr lr pr tr {r",r()r(sr(tr.Cr.fr.ir.pr: r::rParadrasrc re)re.re:reHrl,rlarmwrniroarodroprosrourphrs rshrsorstrt,ruerverviry(ry)ry,s $s [s ls os ss ts {s")s($s(cs(ss))s):s.as.es.gs.ls.ns.rsAssabscose,se.se;segsfeshosigskusolsouspasqlss)ssusswst.stFstssuesursv swosyst %t :t _t bt lt ot ut")t\']t($t(\'t(ct(tt))t).t):t.Ct.ct.ot.pt.rt.st: t::tAstDitExtFetIdtMotRat_ct_dtagtaktantastdete,te.teFte_tewtf(th(thathoth}tiltivtlStoctoftoptr(trettltx tx,ty typu, ue ue(ue)ue.ue;ueEugiuinuirum ummunlup upouraurguriurlursus(ushuthutsvaive venview Dw Rw nw",w) watwayweiwhewhiwidwitwriws ws,ws.x cx, xecxisxpext xt,y $y ty {y")y(sy) y))y):y);y::y_rypeystze ze(ze_zer{},} c}" }))',
  ' $c $r $s %s (! ($ (c (e (r (v -  /  0) 10 :  <  >  ?  Da Lo NU Re [] a  at aw bo ch cu en ex fa fm id if im is ke la le lo na nu of ok on op or pe po pr qu sa sh su te ti un up vo wh {  {} ||" +"""")."re$co$ha$li$pa$st$th\' =\', ("p("r($h(),().(er(fi(in(li(ne(ra(se(si(va({ ) (), ).t): ); + ", (, 0, a, d, f, l, o, t, u, w->c->f->n->p->r->s.Co.Er.co.ex.fi.ge.in.lo.ne.on.pa.se.st.un// 0);0, 00)100: ": %: c::c:ch:st= $= [= a= d= e= f= i= l= m= r= t> $> {AsyCouExcFilHeaId,IntInvLisLoaNULOrdPatQuoRatReaSecStaStoULLUniVal\\n"] =], _ce_di_en_lo_re_st_t accackad ad(ad_aisakealeallan ancangansap appardarsas askasyat at(ataatuautay aylaymayobasbscc (capcarcatce(celcesch(chrck ck(ck)ck:claclicomcrecricsvct)ctoctxcurd",d);d: daydd(decdirds dy e ie oe re se te")e($e(ce(re(se))eLieTie_teaceakeamed"ed)ed;ed_eedefeefueigemaembemeempemsen enaeneenseofeouepaer-er:eraercereerterveryes(et.etcetretteueey,f tf("f, falfetff fmtfo(freg) gergesghtginh, hoshttid)id,ieniesiewiffighildimaimiimpin(infinviptis is-ispit)it_ithitsityivajobjoujsok =kedketl =l {l);l, lablatle(le.lealedlimll(llellolobloslowlsemagmaimalmanmapmaxme(me)me,memmeomitmmamovmptmt.mutn =n cn en fn in sn("nalnannc(nd ndendine ne(ne.necnernesnexng(ng)ng.ngeninnlyno:nodns.nt-nt.nt6nt_nulnumo("o::obsocaof of(offog.okeokmollomeommon.on_onooomopeoptor)orforloryoseot ow(ow.oweowsp =p->paspeaperpliploplypoipospplputq->quaquor (r *r ir rr sr("r->rIdr_.r_irairamrawrayrcerchre reeremreprf(rieripritrivrldrmarnaromronrr)rrarrers(rs.rsert(rt.rtertsry ry.s *s as",s.ss_.s_ascrsecsensessh(shashisitsocsonsorss st(st)st,st<st_stmsubsumt *t +t at it mt nt pt tt(rt(st.Et.it64tCetabte)teTtesth)th,th.tittmtto_tomtp.trats(ts)ts,ts.ts:ts_ttettittptusuanubsuerueuuilullultumbumeuplurcurrustut ut(uteutove(vedvouw Iw()w, warwerworxpoxt(xt.y =yloymeyouyteze)zeozon|| }, ',
  ' != "  (s *  += 0; := == => as ca cl da de fi fo fu it ma me ni no ra ro si ta th to tr va })!= ");$re() ())(co(ct(pa(re(st) =)) += , ", c, i, n, p, r.re.to::s:= = "= 0= c= s== => CenConDatErrStrTim_at_idablachadeailaital alsaluamoampandareargariaseastatcatiattawaayeberbleblibodbooc fcalce cepch ckeclocodcouct d =datdevdlee()e) e);e: ecoef elfemoen(encengeptequer(er)er,erIer_es es)es.espesset et(eteevif eferfilfinge getgthh (harhe herhishroid il in indiniireiseit ivekenkeylaslayle le)lenleslf.lielislogluematmbeme.menmermetmoumplmpon nn rn tn, namnc ncenctnd(ndlndsnetnfongsngtnilnitnnenownsent(nt)ntintrnvoodeodyoicoidoinon(ondoneonnookoolor(ordormostoteoucouroveow pagparpaypenpirplapleponpubr !r :r =r) r, ranratre(recredrefrenreqrgericrifroort rucs()s) s);s, s->s: samse se(selsetsiospossessistestosynt ct ft rt st("t()t) t);t->taltd:te te(tedtentexth thethithrtictinto tottrutryts uchuctuesunduniuotureusevalvatvervicwaixcexpiy, yerync});',
  " +  co er in li ne pa se st();));, e, s= nadiageameantar artassathcenchachectid, d::defdine =e, ected ender er.ersestew expextf (funhanic ileimeineistiteizeliclinloalocnewng nstnt ntentsoadockon ontor oreortotaounoutpatporpriptiquerderesrorrowrr rros =sersizst stastdt =t, tartattchtemtertimtorubluncuntvarvoi",
  ' re", ) {atecondereadenterrforiceif intiononsrearinstrtiotri',
  " = etuingretrn tururn",
];

/**
 * Commonness of the characters of some code: mean of log(1 + count) over its trigrams, counted in the hunk and in a small
 * corpus of code (`COMMON_TRIGRAMS`). 0 without a trigram.
 */
export function characterFluency(codes: readonly string[], hunk: readonly string[]): number[] {
  const counts = countOf(hunk.flatMap((line) => trigramsOf(line)));
  return codes.map((code) =>
    meanOf(code.split("\n").flatMap(trigramsOf), (trigram) =>
      Math.log(1 + (counts.get(trigram) ?? 0) + (CORPUS.get(trigram) ?? 0)),
    ),
  );
}

/**
 * Commonness of each token beside the one before: mean of log(1 + 4 · count of the pair + count of the token) in the hunk.
 * 0 without a token.
 */
export function wordFluency(codes: readonly string[], hunk: readonly string[]): number[] {
  const lines = hunk.map(tokensIn);
  const [single, pairs] = [countOf(lines.flat()), countOf(lines.flatMap(pairsOf))];
  const common = (pair: Pair) => 4 * (pairs.get(pair.join(" ")) ?? 0) + (single.get(pair[1]) ?? 0);
  return codes.map((code) =>
    meanOf(
      code.split("\n").flatMap((line) => pairListOf(tokensIn(line))),
      (pair) => Math.log(1 + common(pair)),
    ),
  );
}

/** Mean over the words of some code of log(1 + their count in the hunk); 0 without words. */
export function nameCommonness(codes: readonly (readonly string[])[], known: readonly string[]): number[] {
  const counts = countOf(known);
  return codes.map((words) => meanOf(words, (word) => Math.log(1 + (counts.get(word) ?? 0))));
}

/** The tokens of a text in their order: a word, or one other character; space is none. */
export function tokensIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

type Pair = readonly [string, string];

/** Each token with the one before; the first with the line's beginning. */
function pairListOf(tokens: readonly string[]): Pair[] {
  return tokens.map((token, i): Pair => [tokens[i - 1] ?? "", token]);
}

function pairsOf(tokens: readonly string[]): string[] {
  return pairListOf(tokens).map((pair) => pair.join(" "));
}

/** Runs of three characters of a line, its outer space aside. */
export function trigramsOf(line: string): string[] {
  const text = line.trim();
  return Array.from({ length: Math.max(0, text.length - 2) }, (_, i) => text.slice(i, i + 3));
}

function countOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Rounded, so that sums of the same numbers in another order are equal. */
function meanOf<T>(items: readonly T[], measure: (item: T) => number): number {
  if (items.length === 0) return 0;
  const mean = items.reduce((total, item) => total + measure(item), 0) / items.length;
  return Math.round(mean * 1e9) / 1e9;
}

/** Counts by trigram, at least: 4, 8, 16 … */
const CORPUS: ReadonlyMap<string, number> = new Map(
  COMMON_TRIGRAMS.flatMap((trigrams, tier) =>
    Array.from({ length: trigrams.length / 3 }, (_, i) => [trigrams.slice(3 * i, 3 * i + 3), 2 ** (tier + 2)] as const),
  ),
);
