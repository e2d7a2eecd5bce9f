import subprocess,sys,csv,io
z,roll,pitch,sp,x,y,yaw=map(float,sys.argv[2:9]); u=sys.argv[1]
a=['build/cli/vdsim-run','drop_tmp.yaml','-o','-','--rate','1000','-c','t_s,x_m,y_m,z_m,roll_rad,fz_*,tyre_deflection_*,contact_x*,contact_y*,road*,energy_J,ledger_residual_J','--set',f'run.unsprung={u}']
for n,v in (('z',z),('roll',roll),('pitch',pitch),('speed',sp),('x',x),('y',y),('yaw',yaw)): a+=['--set',f'initial.{n}={v}']
for e in sys.argv[9:]: a+=['--set',e]
r=subprocess.run(a,capture_output=True,text=True)
rows=list(csv.DictReader(io.StringIO(r.stdout)))
last=0
n=0
for i in range(1,len(rows)):
    d=float(rows[i]['ledger_residual_J'])-float(rows[i-1]['ledger_residual_J'])
    if abs(d)>100 and n<8:
        n+=1
        for q in (rows[i-1],rows[i]): print({k:('%.3f'%float(v)) for k,v in q.items() if k[:2] in('t_','x_','y_','z_','fz','ty','ro','le')})
